import type { CurrentClient } from '@svc/client-metadata';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import { clientQuery } from '../api/client-queries.js';
import type { ClientDocument, FeatureField, Features, TaggedClient } from '../api/client-documents.js';
import { useLacksScope } from '../api/own-token.js';
import { useSaving } from '../edit/use-saving.js';
import { CopyButton } from '../elements/copy-button.js';
import { ExternalLink } from '../elements/external-link.js';
import { showFailure } from '../elements/failure.js';
import { FieldWarnings } from '../form/field-warnings.js';
import { inputFields, toBody, toFormValues } from '../form/form-values.js';
import { fixOf } from '../form/warning-fixes.js';
import { formatJson } from '../form/form-values.js';
import { toEntries } from '../metadata/map-entries.js';
import { valueLabel } from '../metadata/value-labels.js';
import { text } from '../texts/client.js';
import classes from './client.module.css';

/** Human-readable formats; all others are shown in monospace. */
const TEXT_FORMATS: readonly FeatureField['format'][] = ['display-name', 'text', 'duration'];

interface FieldRowProps {
  readonly field: FeatureField;
  readonly features: Features;
  readonly tagged: TaggedClient;
}

/** A field's label, wire name, value and warnings. */
export function FieldRow({ field, features, tagged }: FieldRowProps) {
  const value = (tagged.client as unknown as Record<string, unknown>)[field.name];
  return (
    <div className={classes.field}>
      <dt>
        <span title={field.description}>{field.label}</span>
        <code>{field.name}</code>
      </dt>
      <dd>
        <FieldValue field={field} value={value} />
        <WarningsOfField field={field} features={features} tagged={tagged} />
      </dd>
    </div>
  );
}

/** The warnings of one field. A fix is saved at once, unless the client has changed in the meantime. */
function WarningsOfField({ field, features, tagged: { client, etag } }: FieldRowProps) {
  const queries = useQueryClient();
  const { client_id: clientId } = client;
  const lacks = useLacksScope('clients:write');
  const saving = useSaving(clientId, {
    onError: (error) => {
      if (!(error instanceof ApiError) || error.status !== 412) return showFailure(error);
      void queries.invalidateQueries({ queryKey: clientQuery(clientId).queryKey });
      showFailure(error, text('fix.changed'));
    },
  });
  const warnings = client.warnings.filter((warning) => warning.field.split('/')[1] === field.name);
  if (warnings.length === 0) return null;
  const current = client as ClientDocument & CurrentClient;
  const fields = inputFields(features.fields, 'edit');
  const body = toBody(fields, toFormValues(fields, current), current);
  return (
    <FieldWarnings
      warnings={warnings}
      body={body}
      fixOf={(code) => (lacks ? undefined : fixOf(code, features, body, current))}
      pending={saving.isPending}
      onFix={(patch) => saving.mutate({ patch, etag })}
    />
  );
}

function FieldValue({ field, value }: { readonly field: FeatureField; readonly value: unknown }) {
  if (value === undefined || value === null)
    return <span className={classes.unset}>{text('field.unset')}</span>;
  if (typeof value === 'boolean') return text(value ? 'field.yes' : 'field.no');
  if (field.type === 'object') return <pre className="mono foreign">{formatJson(value)}</pre>;
  const values = Array.isArray(value) ? value.map(String) : toEntries(value);
  if (values) return <Values field={field} values={values} />;
  const written = String(value);
  if (field.format === 'web-uri') return <ExternalLink href={written} />;
  if (field.allowed_values) return <Chosen field={field} value={written} />;
  return <bdi className={`foreign ${TEXT_FORMATS.includes(field.format) ? '' : 'mono'}`}>{written}</bdi>;
}

/** What users call a value, and how the HTTP API spells it. */
function Chosen({ field, value }: { readonly field: FeatureField; readonly value: string }) {
  const label = valueLabel(field.name, value);
  if (label === value) return <span className="mono foreign">{value}</span>;
  return (
    <>
      {label} <code className={classes.unset}>{value}</code>
    </>
  );
}

function Values({ field, values }: { readonly field: FeatureField; readonly values: readonly string[] }) {
  if (values.length === 0) return <span className={classes.unset}>{text('field.none')}</span>;
  return (
    <ul className={classes.values}>
      {values.map((value) => (
        <li key={value}>
          {field.format === undefined ? (
            <span className="foreign">
              <Chosen field={field} value={value} />
            </span>
          ) : (
            <>
              <bdi className="mono foreign">{value}</bdi>
              <CopyButton value={value} what={field.label} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
