import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { invalidateClients } from '../api/invalidate-clients.js';
import { fetchBody } from '../api/request.js';
import { text } from '../texts/text.js';

/** What the registry takes at once. */
const MAX_MIB = 100;
const MIB = 1024 * 1024;

/** What can become of a Client, in the order of telling. */
export const OUTCOMES = ['registered', 'updated', 'enabled', 'disabled', 'deleted', 'unchanged'] as const;

/** What an import did to one Client, or would do. */
export interface ImportedClient {
  readonly client_id: string;
  /** Counted from 1; absent for a deletion. */
  readonly line?: number;
  readonly changes: readonly string[];
  /** Of a new Client; no later answer holds it. */
  readonly client_secret?: string;
}

/** What `POST /clients/import` answers with. */
export type ImportAnswer = Readonly<Record<(typeof OUTCOMES)[number], number>> & {
  /** Those that are changed. */
  readonly clients: readonly ImportedClient[];
};

/** A file of Clients, and how it is to be taken. */
interface ImportOrder {
  readonly file: File;
  /** Deletes the Clients that the file lacks. */
  readonly prune: boolean;
  /** Only tells what would be done. */
  readonly dryRun: boolean;
  readonly signal?: AbortSignal;
}

/** Why a file need not be sent at all; nothing when it may be. */
export function rejectFile({ size }: File): string | undefined {
  if (size === 0) return text('import.empty');
  // Rounded up, so that what is refused never reads as what is allowed.
  const mebibytes = Math.ceil((10 * size) / MIB) / 10;
  return size > MAX_MIB * MIB ? text('import.tooLarge', { size: mebibytes, most: MAX_MIB }) : undefined;
}

/** Makes Clients as the lines of a file say: all of them, or none. @throws {Error} */
async function importClients({ file, prune, dryRun, signal }: ImportOrder): Promise<ImportAnswer> {
  await assertReadable(file);
  return fetchBody<ImportAnswer>({
    method: 'POST',
    path: '/clients/import',
    query: { dry_run: dryRun, prune },
    headers: { 'content-type': 'application/x-ndjson' },
    body: file,
    ...(signal && { signal }),
  });
}

/** Browsers do not read a file that has changed since it was chosen, and the failure would look like the network's. */
async function assertReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new Error(text('import.changed'), { cause });
  }
}

/** A file that was chosen. */
export interface ChosenFile {
  readonly file: File;
  /** Tells two choices apart, also of the same file: it may have changed between them. */
  readonly choice: number;
}

/** What an import would do, asked as soon as there is a file; given up when another one is chosen. */
export function useImportPlan(chosen: ChosenFile | undefined, prune: boolean) {
  return useQuery({
    queryKey: ['import-plan', chosen?.choice, prune],
    queryFn: async ({ signal }) => {
      if (!chosen) throw new TypeError('there is no file to plan an import of');
      return importClients({ file: chosen.file, prune, dryRun: true, signal });
    },
    enabled: chosen !== undefined,
    // The file is not sent again because the window was left and came back.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // Up to 100 MiB are sent again by hand alone, when whoever waits says so.
    retry: false,
    gcTime: 0,
  });
}

/** Carries the import out; whatever was known of Clients is asked for anew. */
export function useImport() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ file, prune }: { readonly file: File; readonly prune: boolean }) =>
      importClients({ file, prune, dryRun: false }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['client'] });
      invalidateClients(queries);
    },
  });
}
