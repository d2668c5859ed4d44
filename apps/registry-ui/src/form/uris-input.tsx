import { pointerTo } from '@svc/client-metadata';
import { ActionIcon, Button, Group, Input, TextInput } from '@mantine/core';
import { type ClipboardEvent, useRef } from 'react';
import { type Violation, messagesOf } from '../api/api-error.js';
import type { FeatureField } from '../api/client-documents.js';
import { Icon } from '../elements/icon.js';
import { parseEntry } from '../metadata/map-entries.js';
import { text } from '../texts/form.js';
import classes from './form.module.css';
import { InputHelp, inputId, type InputProps } from './input-help.js';
import { readPastedEntries, readPastedUris } from './pasted-uris.js';
import { useUriRows } from './use-uri-rows.js';

interface UrisFieldProps extends InputProps<string[]> {
  /** All violations of the list, including the row being typed. */
  readonly violations: readonly Violation[];
}

/** A list of URIs or other texts, or of a map's entries; validated as they are typed; pasting several fills several rows. */
export function UrisField({ field, value, onChange, onBlur, error, example, violations }: UrisFieldProps) {
  const most = field.max_items ?? Number.POSITIVE_INFINITY;
  const list = useRef<HTMLDivElement>(null);
  const isUris = field.format?.endsWith('-uri') === true;
  const readPasted = isUris ? readPastedUris : readPastedEntries;
  const rows = useUriRows({ value, onChange, most, list, readPasted });
  const pointers = pointersOf(field, value);
  return (
    <Input.Wrapper
      id={inputId(field.name)}
      label={field.label}
      labelElement="div"
      description={<InputHelp field={field} />}
      required={field.required}
      error={error && messagesOf(violations.filter(({ field: pointer }) => !pointers.includes(pointer)))}
    >
      <div ref={list} role="group" aria-label={field.label} className={classes.uris} onBlur={onBlur}>
        {value.map((uri, index) => (
          <UriRow
            key={index}
            uri={uri}
            label={text('form.uri', { label: field.label, number: index + 1 })}
            example={Array.isArray(example) ? String(example[index] ?? '') : ''}
            violations={violations.filter(({ field: pointer }) => pointer === pointers[index])}
            onChange={(next) => onChange(value.with(index, next))}
            onPaste={(event) => rows.paste(event, index)}
            onEnter={() => rows.add(index + 1)}
            onRemove={() => rows.remove(index)}
          />
        ))}
      </div>
      <Group gap="md" mt="sm">
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          disabled={value.length >= most}
          onClick={() => rows.add(value.length)}
        >
          {text(isUris ? 'form.uri.add' : 'form.entry.add')}
        </Button>
        <span className="hint" role="status">
          {rows.pasted ?? (isUris ? text('form.uri.paste') : field.type === 'map' && text('form.entry.map'))}
        </span>
      </Group>
    </Input.Wrapper>
  );
}

interface UriRowProps {
  readonly uri: string;
  readonly label: string;
  readonly example: string;
  readonly violations: readonly Violation[];
  readonly onChange: (uri: string) => void;
  readonly onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
  readonly onEnter: () => void;
  readonly onRemove: () => void;
}

function UriRow({ uri, label, example, violations, onChange, onPaste, onEnter, onRemove }: UriRowProps) {
  return (
    <div className={classes.uri}>
      <TextInput
        aria-label={label}
        value={uri}
        onChange={(event) => onChange(event.currentTarget.value)}
        onPaste={onPaste}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onEnter();
        }}
        error={messagesOf(violations)}
        placeholder={example}
        rightSection={uri !== '' && violations.length === 0 ? <Accepted /> : undefined}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        inputMode="url"
        className="mono-input"
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        onClick={onRemove}
        aria-label={text('form.uri.remove', { label })}
      >
        <Icon name="cross" />
      </ActionIcon>
    </div>
  );
}

function Accepted() {
  return (
    <span className={classes.accepted}>
      <Icon name="check" label={text('form.uri.accepted')} />
    </span>
  );
}

/** The JSON pointer of each row's violations; undefined for empty rows, which are not sent. */
function pointersOf({ name, type }: FeatureField, rows: readonly string[]): (string | undefined)[] {
  let sent = -1;
  return rows.map((row) => {
    if (row.trim() === '') return undefined;
    sent += 1;
    return pointerTo(name, type === 'map' ? parseEntry(row)[0] : sent);
  });
}
