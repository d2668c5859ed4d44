import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { invalidateClients } from '../api/changed-clients.js';
import { importClients } from './import-clients.js';

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
