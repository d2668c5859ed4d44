/** RFC 3339 section 5.6; or a day alone, which begins at midnight in UTC. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})([Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2}))?$/;

/** @returns the time, to the millisecond; nothing when the text is none */
export function parseInstant(text: string): Date | undefined {
  const [, day] = INSTANT.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const time = new Date(text.toUpperCase());
  return Number.isNaN(time.getTime()) || time.getTime() < 0 ? undefined : time;
}

/** JavaScript takes the 31st of February for the 3rd of March. */
function isDay(day: string): boolean {
  const time = new Date(day);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}
