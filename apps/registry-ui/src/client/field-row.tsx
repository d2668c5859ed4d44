import type { ClientDocument, SupportedField } from '@svc/client-metadata';
import { CopyButton } from '../elements/copy-button.js';
import { OuterLink } from '../elements/outer-link.js';
import { text } from '../texts/text.js';
import classes from './client.module.css';

/** Formats that people write; all others are for machines. */
const TEXT_FORMATS: readonly SupportedField['format'][] = ['display-name', 'text', 'duration'];

interface FieldRowProps {
  readonly field: SupportedField;
  readonly client: ClientDocument;
}

/** One field: what people call it, what machines call it, and its value. */
export function FieldRow({ field, client }: FieldRowProps) {
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

function FieldValue({ field, value }: { readonly field: SupportedField; readonly value: unknown }) {
  if (value === undefined || value === null)
    return <span className={classes.unset}>{text('field.unset')}</span>;
  if (typeof value === 'boolean') return text(value ? 'field.yes' : 'field.no');
  if (Array.isArray(value)) return <Values field={field} values={value.map(String)} />;
  const written = String(value);
  if (field.format === 'web-uri') return <OuterLink href={written} />;
  return <bdi className={`foreign ${TEXT_FORMATS.includes(field.format) ? '' : 'mono'}`}>{written}</bdi>;
}

function Values({ field, values }: { readonly field: SupportedField; readonly values: readonly string[] }) {
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
