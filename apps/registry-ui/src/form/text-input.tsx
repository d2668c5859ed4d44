import { TextInput } from '@mantine/core';
import { parseSessionExpiration } from '@svc/client-metadata';
import { text } from '../texts/text.js';
import { InputHelp, inputId, type InputProps } from './input-help.js';

/** One line of text. */
export function TextField({ field, value, onChange, onBlur, error, example }: InputProps<string>) {
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

/** What a duration comes to. */
function Seconds({ of: written }: { readonly of: string }) {
  const seconds = written === '' ? undefined : parseSessionExpiration(written);
  if (typeof seconds !== 'number') return null;
  return <span className="numeric">{text('form.seconds', { count: seconds })}</span>;
}
