import { Checkbox, Radio, Stack, Switch } from '@mantine/core';
import { text, optionalText } from '../texts/text.js';
import { InputHelp, inputId, type InputProps } from './input-help.js';

export function ChoiceField({ field, value, onChange, onBlur, error }: InputProps<string>) {
  const values = field.allowed_values ?? [];
  return (
    <Radio.Group
      id={inputId(field.name)}
      label={field.label}
      description={<InputHelp field={field} />}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
      error={error}
      required={field.required}
    >
      <Stack gap="sm" mt="sm">
        {values.map((allowed) => (
          <Radio
            key={allowed}
            value={allowed}
            label={<code>{allowed}</code>}
            description={meaningOf(field.name, allowed)}
          />
        ))}
      </Stack>
      {values.length === 1 && <OnlyValue />}
    </Radio.Group>
  );
}

export function ChoicesField({ field, value, onChange, onBlur, error }: InputProps<string[]>) {
  const values = field.allowed_values ?? [];
  return (
    <Checkbox.Group
      id={inputId(field.name)}
      label={field.label}
      description={<InputHelp field={field} />}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
      error={error}
    >
      <Stack gap="sm" mt="sm">
        {values.map((allowed) => (
          <Checkbox
            key={allowed}
            value={allowed}
            label={<code>{allowed}</code>}
            description={meaningOf(field.name, allowed)}
          />
        ))}
      </Stack>
      {values.length === 1 && <OnlyValue />}
    </Checkbox.Group>
  );
}

export function SwitchField({ field, value, onChange, onBlur, error }: InputProps<boolean>) {
  return (
    <Switch
      id={inputId(field.name)}
      label={field.label}
      description={<InputHelp field={field} />}
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
      onBlur={onBlur}
      error={error}
    />
  );
}

function OnlyValue() {
  return <p className="hint">{text('form.onlyValue')}</p>;
}

function meaningOf(name: string, value: string): string | undefined {
  return optionalText(`value.${name}.${value}`);
}
