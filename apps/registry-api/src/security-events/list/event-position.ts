/**
 * An event by its number and its MAC. After a failover to a server that lacked the latest events, or a restore, numbers are
 * used again; the MAC tells the new event from the lost one.
 */
export interface EventPosition {
  readonly seq: number;
  /** Hexadecimal; empty before the first event, or if a reader gives only the number. */
  readonly mac: string;
}

const POSITION = /^(\d{1,15})(?:-([0-9a-f]{64}))?$/;

/** As `audit verify` prints it. */
export function formatEventPosition({ seq, mac }: EventPosition): string {
  return mac === '' ? String(seq) : `${seq}-${mac}`;
}

/** @returns undefined when the text is not a position */
export function parseEventPosition(text: string): EventPosition | undefined {
  const [, seq, mac = ''] = POSITION.exec(text) ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), mac };
}
