import type { FeatureField } from '../api/client-documents.js';
import { FieldInput } from './field-input.js';
import classes from './form.module.css';
import type { ClientForm } from './use-client-form.js';

interface FormFieldsProps {
  readonly form: ClientForm;
  readonly fields: readonly FeatureField[];
  readonly examples?: Readonly<Record<string, unknown>>;
}

export function FormFields({ form, fields, examples = {} }: FormFieldsProps) {
  return (
    <div className={classes.fields}>
      {fields.map((field) => (
        <FieldInput key={field.name} form={form} field={field} example={examples[field.name]} />
      ))}
    </div>
  );
}
