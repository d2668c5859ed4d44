import { useQuery } from '@tanstack/react-query';
import type { ClientDocument } from '@svc/client-metadata';
import { featuresQuery } from '../api/client-queries.js';
import { Notice } from '../elements/notice.js';
import { sameValue } from '../form/form-values.js';
import { text } from '../texts/text.js';

interface ChangedMeanwhileProps {
  readonly before: ClientDocument;
  readonly after: ClientDocument;
}

/** What follows from the other fields, or changes with any of them. */
const DERIVED: readonly string[] = [
  'updated_at',
  'warnings',
  'client_secret_hint',
  'client_secret_expires_at',
];

/** Tells which fields somebody else has changed, so that it is decided anew. */
export function ChangedMeanwhile({ before, after }: ChangedMeanwhileProps) {
  const { data: features } = useQuery(featuresQuery);
  const labelOf = (name: string) =>
    OWN_LABELS[name] ?? features?.fields.find((field) => field.name === name)?.label ?? name;
  const names = changedFields(before, after);
  return (
    <Notice kind="warn" role="alert" title={text('merge.title')}>
      <p>{text('client.delete.changed')}</p>
      {names.length > 0 && (
        <ul>
          {names.map((name) => (
            <li key={name}>{labelOf(name)}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** Members of the document that no field of the form stands for. */
const OWN_LABELS: Readonly<Record<string, string>> = {
  enabled: text('filter.enabled'),
  client_secrets: text('secrets.title'),
};

function changedFields(before: ClientDocument, after: ClientDocument): string[] {
  const then: Readonly<Record<string, unknown>> = { ...before };
  const now: Readonly<Record<string, unknown>> = { ...after };
  const names = Object.keys({ ...then, ...now });
  return names.filter((name) => !DERIVED.includes(name) && !sameValue(then[name], now[name]));
}
