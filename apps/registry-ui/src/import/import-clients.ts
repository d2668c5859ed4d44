import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '@svc/registry-contract';
import { ApiError, isUnanswered } from '../api/api-error.js';
import { invalidateClients } from '../api/invalidate-clients.js';
import { fetchBody } from '../api/request.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { text } from '../texts/import.js';

/** The registry's limit. */
const MAX_MIB = 100;
const MIB = 1024 * 1024;

/** A large file over a slow network, and what the registry makes of it. */
const DEADLINE_MS = 30 * 60_000;

/** Possible outcomes for a client, in display order. */
export const OUTCOMES = ['registered', 'updated', 'enabled', 'disabled', 'deleted', 'unchanged'] as const;

/** What an import did or would do to one client. */
export type ImportedClient = Schema<'ImportedClientDocument'>;

export type ImportAnswer = Schema<'ImportAnswer'>;

/** How a file is imported. */
export interface ImportChoices {
  /** The set that the file contains; empty: none. */
  readonly set: string;
  /** Deletes clients of the set that are not in the file. */
  readonly prune: boolean;
  /** Takes over clients that others manage. */
  readonly takeOver: boolean;
}

export const NO_CHOICES: ImportChoices = { set: '', prune: false, takeOver: false };

interface ImportOrder {
  readonly file: File;
  readonly choices: ImportChoices;
  /** Only reports what would happen. */
  readonly dryRun: boolean;
  /** How many clients the preview deletes; otherwise nothing is imported. */
  readonly expectedDeleted?: number;
  readonly signal?: AbortSignal;
}

/** Why a file is rejected without sending it; `undefined` if it may be sent. */
export function rejectFile({ size }: File): string | undefined {
  if (size === 0) return text('import.empty');
  // Rounded up, so that a rejected size never reads as an allowed one.
  const mebibytes = Math.ceil((10 * size) / MIB) / 10;
  return size > MAX_MIB * MIB ? text('import.tooLarge', { size: mebibytes, most: MAX_MIB }) : undefined;
}

/** Imports all lines of a file, or none. @throws {Error} */
async function importClients({
  file,
  choices,
  dryRun,
  expectedDeleted,
  signal,
}: ImportOrder): Promise<ImportAnswer> {
  await assertReadable(file);
  const { set, prune, takeOver } = choices;
  const named = set === '' ? {} : { set, prune, expected_deleted: prune ? expectedDeleted : undefined };
  return fetchBody({
    method: 'POST',
    path: '/clients/import',
    query: { dry_run: dryRun, take_over: takeOver, ...named },
    headers: { 'content-type': 'application/x-ndjson' },
    body: file,
    deadlineMs: DEADLINE_MS,
    ...(signal && { signal }),
  });
}

/** Browsers cannot read a file that changed after it was chosen, and the failure would look like a network error. */
async function assertReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new Error(text('import.changed'), { cause });
  }
}

export interface ChosenFile {
  readonly file: File;
  /** Where each line comes from, if the file was converted. */
  readonly places?: readonly string[];
  /** Clients of the file may be missing or have new ids, so clients missing from it cannot be identified. */
  readonly isPartial?: boolean;
  /** Distinguishes choices, even of the same file: it may have changed between them. */
  readonly choice: string;
}

const PLAN_KEY = 'import-plan';

/** Whether an import was refused because it would not delete as many clients as its preview says. */
export function isStalePlan(error: Error): boolean {
  return error instanceof ApiError && error.status === 409;
}

/** A dry run of the import as soon as a file is chosen; cancelled when another one is. */
export function useImportPlan(chosen: ChosenFile | undefined, choices: ImportChoices) {
  return useQuery({
    queryKey: [PLAN_KEY, chosen?.choice, choices],
    queryFn: async ({ signal }) => {
      if (!chosen) throw new TypeError('there is no file to plan an import of');
      return importClients({ file: chosen.file, choices, dryRun: true, signal });
    },
    enabled: chosen !== undefined,
    // Don't send the file again when the window regains the focus.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // Up to 100 MiB are sent again only on request.
    retry: false,
    gcTime: 0,
  });
}

/** The new clients whose secrets only the response contains. */
export function registeredIn({ clients }: ImportAnswer): string[] {
  return clients
    .filter((client) => client.changes.includes('registered') && !client.client_secret_imported)
    .map(({ client_id }) => client_id);
}

interface ConfirmedImport extends Pick<ImportOrder, 'choices'>, Pick<ChosenFile, 'file' | 'places'> {
  readonly plan: ImportAnswer;
}

/** Runs the import and invalidates everything known about clients. */
export function useImport() {
  const queries = useQueryClient();
  const [awaited, setAwaited] = useState<readonly string[]>([]);
  const run = useSingleMutation({
    mutationFn: async ({ file, choices, plan }: ConfirmedImport) =>
      importClients({ file, choices, dryRun: false, expectedDeleted: plan.deleted }),
    onError: (error, { plan }) => {
      if (isStalePlan(error)) void queries.invalidateQueries({ queryKey: [PLAN_KEY] });
      if (isUnanswered(error)) setAwaited((before) => [...new Set([...before, ...registeredIn(plan)])]);
    },
    // Even if the response was lost, clients may have been imported.
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['client'] });
      invalidateClients(queries);
    },
  });
  return {
    ...run,
    /** Clients that attempts without a response may have registered. */
    awaited,
    /** For another file. */
    forget: () => {
      run.reset();
      setAwaited([]);
    },
  };
}
