const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the server could know this id; pages do not query malformed ones. */
export const isId = (text: string): boolean => UUID.test(text);
