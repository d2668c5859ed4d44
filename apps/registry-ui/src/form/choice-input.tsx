import { Checkbox, Input, Radio, Stack, Switch } from '@mantine/core';
import { sameValue } from './form-values.js';
import { valueLabel, valueMeaning } from '../metadata/value-labels.js';
import { InputHelp, inputId, type InputProps } from './input-help.js';

export function ChoiceField({ field, value, onChange, onBlur, error }: InputProps<string>) {
  const values = field.allowed_values ?? [];
  if (isSettled(values, [value], error)) return <SettledChoice field={field} value={value} />;
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
          <Radio key={allowed} value={allowed} {...namesOf(field.name, allowed)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

export function ChoicesField({ field, value, onChange, onBlur, error }: InputProps<string[]>) {
  const values = field.allowed_values ?? [];
  const [only] = values;
  if (only !== undefined && isSettled(values, value, error)) {
    return <SettledChoice field={field} value={only} />;
  }
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
          <Checkbox key={allowed} value={allowed} {...namesOf(field.name, allowed)} />
        ))}
      </Stack>
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

/** Whether there is nothing to choose: the registry supports one value, and it is chosen and valid. */
function isSettled(allowed: readonly string[], value: readonly string[], error: string | undefined): boolean {
  return allowed.length === 1 && sameValue(allowed, value) && error === undefined;
}

/** The only value that this registry supports, as text. */
function SettledChoice({ field, value }: Pick<InputProps<string>, 'field' | 'value'>) {
  const { label } = namesOf(field.name, value);
  return (
    <Input.Wrapper
      id={inputId(field.name)}
      label={field.label}
      labelElement="div"
      description={<InputHelp field={field} />}
    >
      <div>
        {label} <WireValue value={value} />
      </div>
    </Input.Wrapper>
  );
}

/** What users call a value, what choosing it means, and how the HTTP API spells it. */
function namesOf(name: string, value: string) {
  const label = valueLabel(name, value);
  const meaning = valueMeaning(name, value);
  return {
    label,
    description: (
      <>
        {meaning !== undefined && <>{meaning} </>}
        {label !== value && <WireValue value={value} />}
      </>
    ),
  };
}

function WireValue({ value }: { readonly value: string }) {
  return <code className="hint">{value}</code>;
}
