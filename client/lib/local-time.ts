/** The value of a `datetime-local` field, in the reader's time zone: `2026-11-23T14:30`. */
export function toLocalTime(date: Date): string {
  const [month, day, hours, minutes] = [
    date.getMonth() + 1,
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
  ].map((number) => String(number).padStart(2, "0"));
  return `${date.getFullYear()}-${month}-${day}T${hours}:${minutes}`;
}

export const isPast = (localTime: string): boolean => new Date(localTime) <= new Date();

export const timeZone = (): string =>
  new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");
