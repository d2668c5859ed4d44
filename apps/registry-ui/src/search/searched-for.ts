import { searchWords } from '@svc/client-metadata';

/** What is searched for; nothing while no word is typed, as in `https://`, which the registry refuses. */
export function searchedFor(typed: string): string {
  return searchWords(typed).length === 0 ? '' : typed.trim();
}
