// Imported first. Without this accessor, a path or key that a caller chose cannot reach a prototype through
// `__proto__`, in our code or in a library's.
delete (Object.prototype as { __proto__?: unknown }).__proto__;
