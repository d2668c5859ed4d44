import { parseSessionExpiration } from '@svc/client-metadata';
import { Controller } from 'react-hook-form';
import { Textarea, TextInput } from '@mantine/core';
import type { FeatureField } from '../api/client-documents.js';
import { messagesOf } from '../api/api-error.js';
import { text } from '../texts/form.js';
import { ChoiceField, ChoicesField, SwitchField } from './choice-input.js';
import { FieldWarnings } from './field-warnings.js';
import { InputHelp, inputId, type InputProps } from './input-help.js';
import { UrisField } from './uris-input.js';
import type { ClientForm } from './use-client-form.js';
import { fieldOf } from './use-refusal.js';

interface FieldInputProps {
  readonly form: ClientForm;
  readonly field: FeatureField;
  /** A sample value. */
  readonly example: unknown;
}

/** The input for a field's type. The form knows types of fields, but no field by name. */
export function FieldInput({ form, field, example }: FieldInputProps) {
  return (
    <Controller
      control={form.control}
      name={field.name}
      render={({ field: { value, onChange, onBlur } }) => (
        <div>
          <Input form={form} input={{ field, value, onChange, onBlur, example }} />
          <FieldWarnings
            warnings={form.warnings.filter((warning) => fieldOf(warning.field) === field.name)}
            body={form.body}
            fixOf={form.fixOf}
            onFix={form.fill}
          />
        </div>
      )}
    />
  );
}

interface TypedInputProps {
  readonly form: ClientForm;
  readonly input: Omit<InputProps<unknown>, 'error' | 'onChange'> & {
    readonly onChange: (value: unknown) => void;
  };
}

function Input({ form, input: { value, ...rest } }: TypedInputProps) {
  const { field } = rest;
  const error = messagesOf(form.shownViolations(field.name));
  const input = { ...rest, error };
  if (field.type === 'boolean') return <SwitchField {...input} value={value === true} />;
  if (field.type === 'object') return <ObjectField {...input} value={String(value)} />;
  if (field.type !== 'string[]' && field.type !== 'map') {
    const Single = field.allowed_values ? ChoiceField : TextField;
    return <Single {...input} value={String(value)} />;
  }
  const values = Array.isArray(value) ? value.map(String) : [];
  if (field.allowed_values) return <ChoicesField {...input} value={values} />;
  const violations = form.violations.filter((violation) => fieldOf(violation.field) === field.name);
  return <UrisField {...input} value={values} violations={violations} />;
}

function TextField({ field, value, onChange, onBlur, error, example }: InputProps<string>) {
  const forMachines = field.format !== 'display-name';
  return (
    <TextInput
      id={inputId(field.name)}
      label={field.label}
      description={<InputHelp field={field} />}
      required={field.required}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
      error={error}
      placeholder={typeof example === 'string' ? example : undefined}
      rightSection={field.format === 'duration' ? <Seconds of={value} /> : undefined}
      rightSectionWidth={field.format === 'duration' ? 130 : undefined}
      spellCheck={!forMachines}
      autoCapitalize={forMachines ? 'none' : undefined}
      autoComplete="off"
      dir="auto"
      className={forMachines ? 'mono-input' : undefined}
    />
  );
}

/** A JSON object, as text. */
function ObjectField({ field, value, onChange, onBlur, error }: InputProps<string>) {
  return (
    <Textarea
      id={inputId(field.name)}
      label={field.label}
      description={<InputHelp field={field} />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
      error={error}
      autosize
      minRows={2}
      maxRows={16}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      className="mono-input"
    />
  );
}

/** The duration in seconds. */
function Seconds({ of: written }: { readonly of: string }) {
  const seconds = written === '' ? undefined : parseSessionExpiration(written);
  if (typeof seconds !== 'number') return null;
  return <span className="numeric">{text('form.seconds', { count: seconds })}</span>;
}
