/** Every error code of the APIs, with its HTTP status. */
export const statusOf = {
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  REAUTHENTICATION_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_SERVER_ERROR: 500,
  UNAVAILABLE: 503,
  INSUFFICIENT_STORAGE: 507,
} as const;

export type ErrorCode = keyof typeof statusOf;

/** One message per refused input field. */
export type FieldErrors = Record<string, string>;

type Details = { fields?: FieldErrors; retryAfter?: number; current?: object; cause?: unknown };

/** The only error the domain throws. `message` is for people, `code` for programs. */
export class BlogError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  /** Whole seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined;
  /** The current state of an object of which a write expected an older version. */
  readonly current: object | undefined;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = "BlogError";
    this.code = code;
    this.fields = details.fields;
    this.retryAfter = details.retryAfter;
    this.current = details.current;
  }
}

const BUSY = "the server is busy, please try again in a few seconds";

/** Too much work is queued or running. */
export class BusyError extends BlogError {
  constructor(retryAfter = 5) {
    super("UNAVAILABLE", BUSY, { retryAfter });
  }
}

export const notFound = (noun: string) => new BlogError("NOT_FOUND", `${noun} not found`);
export const badInput = (message: string, fields?: FieldErrors) =>
  new BlogError("BAD_USER_INPUT", message, { fields });
/** A wrong field, whose message is also that of the request. */
export const badField = (field: string, message: string) => badInput(message, { [field]: message });
export const forbidden = (message: string) => new BlogError("FORBIDDEN", message);
export const fileTooLarge = () => new BlogError("PAYLOAD_TOO_LARGE", "File too large");
export const conflict = (message: string, current?: object) =>
  new BlogError("CONFLICT", message, { current });
const full = (room: string) => (cause: unknown) =>
  new BlogError("INSUFFICIENT_STORAGE", `there is no ${room} left, please tell the administrator`, { cause });
export const storageFull = full("room for pictures");
export const databaseFull = full("room");
export const bodyTooLarge = () => new BlogError("PAYLOAD_TOO_LARGE", "the body is too large");

/** @param retryAfter seconds, which the message has in minutes or, beyond two hours, in hours */
export function rateLimited(reason: string, retryAfter: number): BlogError {
  const minutes = Math.ceil(retryAfter / 60);
  const [count, unit] = minutes > 120 ? [Math.ceil(minutes / 60), "hour"] : [minutes, "minute"];
  const wait = `${count} ${unit}${count === 1 ? "" : "s"}`;
  return new BlogError("RATE_LIMITED", `${reason}, please try again in ${wait}`, { retryAfter });
}

export class StoreUnavailable extends BlogError {
  constructor(cause: unknown) {
    super("UNAVAILABLE", "the pictures are not available, please try again shortly", {
      retryAfter: 5,
      cause,
    });
  }
}

/** Error codes of Prisma, the driver and PostgreSQL for an unreachable or unresponsive database. */
const outageCodes = new Set([
  ...["P1000", "P1001", "P1002", "P1003", "P1008", "P1010", "P1011", "P1017", "P2024", "P2028", "P2037"],
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "ETIMEDOUT", "EPIPE", "ENOTFOUND", "EAI_AGAIN"],
  ...["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "28000", "28P01", "3D000"],
  ...["25006", "53300", "57014", "57P01", "57P02", "57P03"],
  // Deadlocks and serialization failures: the transaction may be retried.
  ...["P2034", "40P01", "40001"],
]);

/** Maps outages to UNAVAILABLE, a full disk of the database to INSUFFICIENT_STORAGE, and masks every other error. */
export function toBlogError(error: unknown): BlogError {
  if (error instanceof BlogError) return error;
  if (isDiskFull(error)) return databaseFull(error);
  if (isOutage(error))
    return new BlogError("UNAVAILABLE", "the database is not available, please try again shortly", {
      retryAfter: 5,
      cause: error,
    });
  return new BlogError("INTERNAL_SERVER_ERROR", "something went wrong on our side, please try again", {
    cause: error,
  });
}

/** Whether another try may succeed: the database is away, or its disk full. */
export const isTemporary = (error: unknown): boolean => {
  const { code } = toBlogError(error);
  return code === "UNAVAILABLE" || code === "INSUFFICIENT_STORAGE";
};

/** Outages reported without a code. */
const outageWords = new RegExp(
  [
    // pg and its pool.
    "timeout exceeded when trying to connect|connection timeout|connection terminated",
    "is not queryable|query read timeout|timeout expired|is not currently accepting connections",
    // Prisma, which has no code of its own for raw statements.
    "can't reach database server|server has closed the connection|operation has timed out",
    "too many database connections|authentication failed against|was denied access on the database",
    "error opening a tls connection",
  ].join("|"),
  "i",
);

/** Class 08 of PostgreSQL are connection exceptions. */
const isOutageCode = (code: string) => outageCodes.has(code) || /^08\w{3}$/.test(code);

const isOutage = (error: unknown) => isReportedAs(error, isOutageCode, outageWords);

const diskFullWords = /no space left on device|could not write init file/i;

/** PostgreSQL's disk_full, and errors of new connections that have no code of their own. */
const isDiskFull = (error: unknown) => isReportedAs(error, (code) => code === "53100", diskFullWords);

/** Whether the error or one of its causes has such a code, as Prisma quotes those of PostgreSQL, or such words in its message. */
function isReportedAs(error: unknown, isCode: (code: string) => boolean, words: RegExp): boolean {
  if (typeof error !== "object" || error === null) return false;
  if ("code" in error && typeof error.code === "string" && isCode(error.code)) return true;
  const message = "message" in error ? String(error.message) : "";
  const [, quoted] = /Code: `(\w+)`/.exec(message) ?? [];
  if ((quoted !== undefined && isCode(quoted)) || words.test(message)) return true;
  return "cause" in error && isReportedAs(error.cause, isCode, words);
}

/** A reason that quotes a backup, whose control characters could control the terminal. */
export const quotable = (reason: string) => reason.replace(/\p{C}/gu, "?").slice(0, 300);
