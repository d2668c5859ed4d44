import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Failure } from '../elements/failure.js';
import { text, type TextName } from '../texts/text.js';

/** How long the former secret stays valid, as the HTTP API writes it; nothing: it ends at once. */
const OVERLAPS: readonly { readonly value: string; readonly label: TextName }[] = [
  { value: '24 h', label: 'overlap.day' },
  { value: '7 d', label: 'overlap.week' },
  { value: '30 d', label: 'overlap.month' },
  { value: '', label: 'overlap.none' },
];

interface OverlapFormProps {
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onRotate: (overlap: string) => void;
  readonly onCancel: () => void;
}

/** Asks how long both secrets are to be valid. */
export function OverlapForm({ pending, error, onRotate, onCancel }: OverlapFormProps) {
  const [overlap, setOverlap] = useState('24 h');
  return (
    <Stack gap="md">
      <Text>{text('secret.rotate.what')}</Text>
      <Radio.Group label={text('overlap.label')} value={overlap} onChange={setOverlap}>
        <Stack gap="sm" mt="sm">
          {OVERLAPS.map(({ value, label }) => (
            <Radio
              key={value}
              value={value}
              label={text(label)}
              description={value === '' ? text('overlap.none.what') : undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      {error && <Failure error={error} takesFocus />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={pending} onClick={onCancel}>
          {text('action.cancel')}
        </Button>
        <Button color={overlap === '' ? 'red' : 'iris'} loading={pending} onClick={() => onRotate(overlap)}>
          {text('secret.rotate')}
        </Button>
      </Group>
    </Stack>
  );
}
