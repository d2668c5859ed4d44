/** A media range of an Accept header (RFC 9110 section 12.5.1). */
interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

/**
 * The format that a caller prefers; of equal ones the first.
 *
 * @param accept the Accept header; without one every format is acceptable
 * @param formats the media types of each format
 * @returns undefined when the caller accepts none of them
 */
export function preferredFormat<Format extends string>(
  accept: string | undefined,
  formats: Readonly<Record<Format, readonly string[]>>,
): Format | undefined {
  const names = Object.keys(formats) as Format[];
  const ranges = accept === undefined || accept.trim() === '' ? undefined : accept.split(',').map(toRange);
  if (!ranges) return names[0];
  const accepted = names.map((name) => ({
    name,
    quality: Math.max(...formats[name].map((type) => qualityOf(type, ranges))),
  }));
  return accepted.sort((a, b) => b.quality - a.quality).find(({ quality }) => quality > 0)?.name;
}

function toRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
}

/** The most specific range wins. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  const range = [type, family, '*/*']
    .map((name) => ranges.find((range) => range.type === name))
    .find(Boolean);
  return range?.quality ?? 0;
}
