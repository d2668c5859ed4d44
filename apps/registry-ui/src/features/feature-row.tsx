import type { SupportedField } from '@svc/client-metadata';
import { WithReferences } from '../elements/with-references.js';
import { text } from '../texts/text.js';
import { factsOf } from './field-facts.js';
import classes from './features.module.css';

/** One field of a Client: what it is for, and what it may be. */
export function FeatureRow({ field }: { readonly field: SupportedField }) {
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
