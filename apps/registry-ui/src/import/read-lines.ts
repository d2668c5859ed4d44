/** Longer lines are cut. */
const MAX_LENGTH = 300;

/** A secret in a line is not shown. */
const SECRET = /("(?:client_secret|client_secret_hash|registration_access_token)"\s*:\s*)"(?:[^"\\]|\\.)*"?/g;

/** The text of some lines of a file, by their numbers from 1, without secrets. */
export async function readLines(
  file: Blob,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let [rest, line] = ['', 1];
  const last = Math.max(...wanted);
  const take = (content: string) => {
    if (wanted.has(line)) found.set(line, content.replace(SECRET, '$1"…"').slice(0, MAX_LENGTH));
    line += 1;
  };
  for (let part = await reader.read(); !part.done && line <= last; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  }
  if (rest !== '') take(rest);
  await reader.cancel();
  return found;
}
