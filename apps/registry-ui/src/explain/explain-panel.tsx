import { Button, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { neededPart, parseAuthorizationUrl } from '@svc/client-metadata';
import { type SubmitEvent, useState } from 'react';
import { fetchBody } from '../api/request.js';
import { tabStorage } from '../api/tab-storage.js';
import { Failure } from '../elements/failure.js';
import { Panel } from '../elements/panel.js';
import { text } from '../texts/explain.js';
import { Explanation } from './explanation.js';

/** As the registry accepts. */
const MAX_URL_LENGTH = 32_768;

/** Keeps the URL for users who follow a link and come back. */
const KEPT_URL = 'explained-url';

/** Takes a pasted authorization URL, of which only what a check needs leaves the browser, and shows why it is refused. */
export function ExplainPanel() {
  const [url, setUrl] = useState(() => tabStorage.get(KEPT_URL) ?? '');
  const [violation, setViolation] = useState<string>();
  const explanation = useMutation({
    mutationFn: async (needed: string) =>
      fetchBody({ path: '/clients/explain', method: 'POST', body: { url: needed } }),
  });
  const change = (changed: string) => {
    setUrl(changed);
    if (changed === '') tabStorage.remove(KEPT_URL);
    setViolation(undefined);
    explanation.reset();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const read = parseAuthorizationUrl(url);
    if ('code' in read) setViolation(text('explain.violation', { message: read.message }));
    else {
      const needed = neededPart(url);
      tabStorage.set(KEPT_URL, needed);
      explanation.mutate(needed);
    }
  };
  return (
    <Panel title={text('explain.title')}>
      <form onSubmit={submit}>
        <Stack gap="md" p="md">
          <UrlInput value={url} violation={violation} onChange={change} />
          <div>
            <Button type="submit" disabled={url.trim() === ''} loading={explanation.isPending}>
              {text('explain.do')}
            </Button>
          </div>
          {explanation.error && <Failure error={explanation.error} />}
          {explanation.data && <Explanation {...explanation.data} />}
        </Stack>
      </form>
    </Panel>
  );
}

interface UrlInputProps {
  readonly value: string;
  readonly violation: string | undefined;
  readonly onChange: (url: string) => void;
}

function UrlInput({ value, violation, onChange }: UrlInputProps) {
  return (
    <Textarea
      label={text('explain.url')}
      description={text('explain.url.help')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={violation}
      maxLength={MAX_URL_LENGTH}
      autosize
      minRows={2}
      maxRows={8}
      placeholder="https://login.example/authorize?client_id=…"
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      classNames={{ input: 'mono' }}
    />
  );
}
