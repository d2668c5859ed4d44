import { useFieldLabel } from '../history/use-field-label.js';
import { warningLabel } from '../metadata/warning-label.js';
import { text } from '../texts/jobs.js';
import { optionalText } from '../texts/clients.js';
import type { Job, NewJob } from './jobs.js';

type Titled = Pick<Job, 'action' | 'patch' | 'warning' | 'undoes'>;

/** @returns a function that returns what a job does, such as `Edit: Labels` */
export function useJobTitle(): (job: Titled) => string {
  const labelOf = useFieldLabel();
  return ({ action, patch = {}, warning, undoes }) => {
    const settings = Object.keys(patch).map(labelOf).join(', ');
    return text(`job.${action}`, { settings, warning: warningLabel(warning ?? ''), id: undoes ?? '' });
  };
}

/** The parameters of a list of the same clients. */
export function listOf({ filter = {} }: Pick<Job | NewJob, 'filter'>): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));
}

/** Which clients a job covers, in words; undefined for an undo. */
export function jobScope({ filter, client_ids: ids }: Job): string | undefined {
  if (ids) return text('job.scope.selected', { count: ids.length });
  if (!filter) return undefined;
  const named = Object.entries(listOf({ filter })).map(([name, value]) => {
    const shown = name === 'warning' ? warningLabel(value) : (VALUES[value] ?? value);
    return `${optionalText(`filter.${name}`) ?? name}: ${shown}`;
  });
  return named.length === 0 ? text('job.scope.all') : named.join(' · ');
}

const VALUES: Readonly<Record<string, string>> = { true: text('field.yes'), false: text('field.no') };
