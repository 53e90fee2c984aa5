const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether an address can name anything at all; what cannot is not asked for. */
export const isId = (text: string): boolean => UUID.test(text);
