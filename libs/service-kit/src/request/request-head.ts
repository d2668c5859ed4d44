/** The path of a request target, without its query: a query may hold what does not belong into logs and answers. */
export function pathOf(url: string): string {
  const end = url.search(/[?#;]/);
  return end < 0 ? url : url.slice(0, end);
}
