/** A startup failure, shown to the operator as one sentence without a stack. */
export class StartError extends Error {}
