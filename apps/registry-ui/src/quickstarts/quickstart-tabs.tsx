import { Stack, Tabs, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { CodePanel } from '../elements/code-panel.js';
import { Notice } from '../elements/notice.js';
import { text } from '../texts/quickstarts.js';
import { needsPrivateKey, type QuickstartClient } from './application.js';
import { quickstartsFor } from './quickstarts.js';
import classes from './quickstarts.module.css';

/** The registry does not know the authorization server: users type its address once. */
const STORED_ISSUER = {
  key: 'quickstart-issuer',
  defaultValue: '',
  getInitialValueInEffect: false,
  // As typed, without the hook's JSON.
  serialize: String,
  deserialize: (stored = '') => stored,
} as const;
const EXAMPLE = 'https://issuer.example.com';

/** Code that connects an application, by framework. */
export function QuickstartTabs({ client }: { readonly client: QuickstartClient }) {
  const [issuer, setIssuer] = useLocalStorage(STORED_ISSUER);
  const address = /^https?:\/\//i.test(issuer) && URL.canParse(issuer) ? issuer.trim() : EXAMPLE;
  const application = { client, issuer: address };
  const quickstarts = quickstartsFor(application);
  return (
    <Stack gap="md">
      {client.cookie_entry_uri !== undefined && (
        <Notice kind="info" title={text('quickstart.cookies')}>
          {text('quickstart.cookies.how')}
        </Notice>
      )}
      {needsPrivateKey(client) && (
        <Notice kind="info" title={text('quickstart.key')}>
          {text('quickstart.key.how', { method: client.token_endpoint_auth_method })}
        </Notice>
      )}
      <TextInput
        label={text('quickstart.issuer')}
        description={text('quickstart.issuer.what')}
        placeholder={EXAMPLE}
        value={issuer}
        onChange={({ currentTarget: { value } }) => setIssuer(value)}
        type="url"
        maw={480}
        spellCheck={false}
        autoComplete="off"
        className="mono-input"
      />
      <Tabs defaultValue={quickstarts[0]?.id ?? null} keepMounted={false}>
        <Tabs.List aria-label={text('quickstart.frameworks')} className={classes.tabs}>
          {quickstarts.map(({ id, title }) => (
            <Tabs.Tab key={id} value={id}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {quickstarts.map(({ id, place, write }) => (
          <Tabs.Panel key={id} value={id} pt="md">
            <CodePanel title={place} code={write(application)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
