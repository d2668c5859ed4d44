import { clientsQuery } from './api/client-queries.js';
import { queryClient } from './api/query-client.js';
import { currentSession } from './api/session.js';
import { listParams, readListSearch } from './clients/list-search.js';
import { parseSearch } from './navigation/search-params.js';

/**
 * Requests what the first screen needs as soon as this is evaluated, rather than once its frame has been drawn. Failures are
 * reported by the screen, which requests the same.
 */
function requestFirstScreen(): void {
  if (currentSession() === undefined) return load(import('./sign-in/sign-in.js'));
  if (location.pathname !== `${import.meta.env.BASE_URL}clients`) return;
  loadFonts();
  load(import('./clients/clients-screen.js'));
  load(
    queryClient.prefetchInfiniteQuery(clientsQuery(listParams(readListSearch(parseSearch(location.search))))),
  );
}

/** Otherwise the browser requests fonts only once it lays out text in them, and lays it out again when they arrive. */
function loadFonts(): void {
  for (const font of ['Inter', 'JetBrains Mono']) load(document.fonts.load(`1em ${font}`));
}

function load(part: Promise<unknown>): void {
  part.catch(() => undefined);
}

requestFirstScreen();
