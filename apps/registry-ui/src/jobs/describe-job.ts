import { useQuery } from '@tanstack/react-query';
import { featuresQuery } from '../api/client-queries.js';
import { describeValue, filtersOf } from '../filters/filters.js';
import { useFieldLabel } from '../history/use-field-label.js';
import { warningLabel } from '../metadata/warning-label.js';
import { text } from '../texts/jobs.js';
import type { Job } from './jobs.js';

type Titled = Pick<Job, 'action' | 'patch' | 'warning' | 'undoes'>;

/** @returns a function that returns what a job does, such as `Edit: Labels` */
export function useJobTitle(): (job: Titled) => string {
  const labelOf = useFieldLabel();
  return ({ action, patch = {}, warning, undoes }) => {
    const settings = Object.keys(patch).map(labelOf).join(', ');
    return text(`job.${action}`, { settings, warning: warningLabel(warning ?? ''), id: undoes ?? '' });
  };
}

/** @returns a function that returns which clients a job covers, in the words of the list's filters; undefined for an undo */
export function useJobScope(): (job: Pick<Job, 'filter' | 'client_ids'>) => string | undefined {
  const { data: features } = useQuery(featuresQuery);
  const filters = new Map(filtersOf(features).map((filter) => [filter.name, filter]));
  return ({ filter, client_ids: ids }) => {
    if (ids) return text('job.scope.selected', { count: ids.length });
    if (!filter) return undefined;
    const named = Object.entries(filter).map(([name, value]) => {
      const found = filters.get(name);
      const label = name === 'q' ? text('job.scope.search') : (found?.label ?? name);
      return `${label}: ${describeValue(found, String(value))}`;
    });
    return named.length === 0 ? text('job.scope.all') : named.join(' · ');
  };
}
