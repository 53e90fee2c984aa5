// Import first: without this accessor, a path or key from a client cannot reach a prototype through `__proto__`.
delete (Object.prototype as { __proto__?: unknown }).__proto__;
