import type { FeatureField } from '../api/client-documents.js';
import { WithReferences } from '../elements/external-link.js';
import { text, type TextName } from '../texts/features.js';
import classes from './features.module.css';

export function FeatureRow({ field }: { readonly field: FeatureField }) {
  const { name, label, description, source, allowed_values: values } = field;
  return (
    <li className={classes.field}>
      <div className={classes.name}>
        <strong>{label}</strong>
        <code className="foreign">{name}</code>
      </div>
      <div className={classes.what}>
        <p>
          <WithReferences>{description}</WithReferences>
        </p>
        {values && (
          <ul className={classes.values} aria-label={text('features.values')}>
            {values.map((value) => (
              <li key={value}>
                <code>{value}</code>
              </li>
            ))}
          </ul>
        )}
        <dl className={classes.facts}>
          {factsOf(field).map(({ fact, value }) => (
            <div key={fact}>
              <dt>{text(fact)}</dt>
              <dd className="foreign">{value}</dd>
            </div>
          ))}
          <div>
            <dt>{text('features.source')}</dt>
            <dd>
              <WithReferences>{source}</WithReferences>
            </dd>
          </div>
        </dl>
      </div>
    </li>
  );
}

interface FieldFact {
  readonly fact: TextName;
  readonly value: string;
}

/** What the registry says about a field; missing facts are omitted. */
function factsOf(field: FeatureField): FieldFact[] {
  const facts: readonly (readonly [TextName, string | undefined])[] = [
    ['features.type', field.type],
    ['features.needed', neededFor(field)],
    ['features.default', defaultOf(field)],
    ['features.length', range(field.min_length, field.max_length, 'features.characters')],
    ['features.items', range(field.min_items, field.max_items, 'features.entries')],
    ['features.change', text(`features.editable.${field.editable}`)],
    ['features.public', publicOf(field)],
  ];
  return facts.flatMap(([fact, value]) => (value === undefined ? [] : [{ fact, value }]));
}

function neededFor({ required, required_for: purpose }: FeatureField): string | undefined {
  return required ? text('features.needed.always') : purpose;
}

function defaultOf({ default: standard, generated }: FeatureField): string | undefined {
  if (standard === undefined) return generated;
  return Array.isArray(standard) ? standard.join(', ') : String(standard);
}

function range(
  least: number | undefined,
  most: number | undefined,
  unit: 'features.characters' | 'features.entries',
): string | undefined {
  if (most === undefined) return undefined;
  return least === undefined ? text(unit, { count: most }) : `${least} – ${text(unit, { count: most })}`;
}

function publicOf({ public: open, editable }: FeatureField): string | undefined {
  if (editable === 'never') return undefined;
  if (typeof open === 'boolean') return text(open ? 'field.yes' : 'field.no');
  return open.join(', ');
}
