/** A fenced block of a page. */
export interface FencedBlock {
  readonly language: string;
  readonly text: string;
  /** The section's heading, without the marks; '' before the first. */
  readonly heading: string;
}

/** The fenced blocks of a page, in order. */
export function fencedBlocks(page: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let heading = '';
  for (const [, title, language, text = ''] of page.matchAll(/^#+ (.+)$|^```(\w+)\n([^]*?)^```$/gm)) {
    if (language === undefined) heading = title ?? '';
    else blocks.push({ language, text, heading });
  }
  return blocks;
}
