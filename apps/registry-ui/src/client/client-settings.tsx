import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ClientDocument, FeatureField, TaggedClient } from '../api/client-documents.js';
import { featuresQuery } from '../api/client-queries.js';
import { CopyButton } from '../elements/copy-button.js';
import { Failure } from '../elements/failure.js';
import { ExternalLink } from '../elements/external-link.js';
import { Panel } from '../elements/panel.js';
import { Warnings } from '../elements/warnings.js';
import { toEntries } from '../metadata/map-entries.js';
import { sectionsOf } from '../metadata/sections.js';
import { SecretsPanel } from '../secrets/secrets-panel.js';
import { text } from '../texts/text.js';
import classes from './client.module.css';

/** A client's settings by section, its warnings and its secrets. */
export function ClientSettings({ client }: TaggedClient) {
  const { data: features, error, refetch } = useQuery(featuresQuery);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!features) return <Skeleton height={360} radius="lg" />;
  const shown = features.fields.filter(({ name, editable }) => isShown(name, editable, client));
  return (
    <Stack gap="lg">
      <Warnings warnings={client.warnings} />
      <SecretsPanel client={client} />
      {sectionsOf(shown).map(({ id, title, fields }) => (
        <Panel key={id} title={text(title)}>
          <dl style={{ margin: 0 }}>
            {fields.map((field) => (
              <FieldRow key={field.name} field={field} client={client} />
            ))}
          </dl>
        </Panel>
      ))}
    </Stack>
  );
}

/** The name and id are shown above; `preferred_client_id` has become the id. */
function isShown(name: string, editable: string, client: ClientDocument): boolean {
  if (name === 'client_name' || name === 'client_id' || name === 'client_secret') return false;
  return editable === 'always' || (editable === 'never' && Object.hasOwn(client, name));
}

/** Human-readable formats; all others are shown in monospace. */
const TEXT_FORMATS: readonly FeatureField['format'][] = ['display-name', 'text', 'duration'];

interface FieldRowProps {
  readonly field: FeatureField;
  readonly client: ClientDocument;
}

/** A field's label, wire name and value. */
function FieldRow({ field, client }: FieldRowProps) {
  const value = (client as unknown as Record<string, unknown>)[field.name];
  return (
    <div className={classes.field}>
      <dt>
        <span title={field.description}>{field.label}</span>
        <code>{field.name}</code>
      </dt>
      <dd>
        <FieldValue field={field} value={value} />
      </dd>
    </div>
  );
}

function FieldValue({ field, value }: { readonly field: FeatureField; readonly value: unknown }) {
  if (value === undefined || value === null)
    return <span className={classes.unset}>{text('field.unset')}</span>;
  if (typeof value === 'boolean') return text(value ? 'field.yes' : 'field.no');
  const values = Array.isArray(value) ? value.map(String) : toEntries(value);
  if (values) return <Values field={field} values={values} />;
  const written = String(value);
  if (field.format === 'web-uri') return <ExternalLink href={written} />;
  return <bdi className={`foreign ${TEXT_FORMATS.includes(field.format) ? '' : 'mono'}`}>{written}</bdi>;
}

function Values({ field, values }: { readonly field: FeatureField; readonly values: readonly string[] }) {
  if (values.length === 0) return <span className={classes.unset}>{text('field.none')}</span>;
  if (field.format === undefined) return <span className="mono foreign">{values.join(', ')}</span>;
  return (
    <ul className={classes.values}>
      {values.map((value) => (
        <li key={value}>
          <bdi className="mono foreign">{value}</bdi>
          <CopyButton value={value} what={field.label} />
        </li>
      ))}
    </ul>
  );
}
