import { text } from '../texts/tokens.js';

interface Reach {
  readonly selector?: Readonly<Record<string, string | readonly string[]>>;
  readonly client_id?: string;
}

/** Which clients a token reaches. */
export function reachOf({ selector, client_id: id }: Reach): string {
  if (id !== undefined) return text('identity.client', { id });
  const labels = Object.entries(selector ?? {});
  if (labels.length === 0) return text('identity.all');
  return labels.map(([key, values]) => `${key}=${[values].flat().join('|')}`).join(', ');
}
