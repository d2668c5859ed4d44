import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { escaped, sendPage } from '../http/page.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Well above this server's forms. */
const MAX_FORM_BYTES = 4_096;

/** Shows or processes oidc-provider's interaction pages: sign-in and consent. */
export async function answerInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(request, response);
  if (request.method !== 'POST') return showPage(provider, interaction, response);
  const form = await readForm(request);
  if (interaction.prompt.name !== 'login') {
    const consent = { grantId: await grant(provider, interaction) };
    return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  }
  const accountId = form.get('name')?.trim() ?? '';
  if (!/^[\w .-]{1,64}$/.test(accountId)) return showPage(provider, interaction, response, 400);
  const login = { accountId };
  return provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
}

async function showPage(
  provider: Provider,
  { prompt, params }: Interaction,
  response: ServerResponse,
  status = 200,
): Promise<void> {
  const client = await provider.Client.find(String(params['client_id']));
  const application = escaped(client?.clientName ?? String(params['client_id']));
  if (prompt.name === 'login') {
    const fields = `<p>${application} asks who you are. This is an example: any name will do.</p>
<form method="post"><label>Your name <input name="name" required autofocus autocomplete="username" maxlength="64"
 pattern="[A-Za-z0-9_ .\\-]+" title="Letters, digits, spaces and . _ -"></label> <button>Sign in</button></form>`;
    return sendPage(response, 'Sign in', fields, status);
  }
  const question = `<p>${application} wants to know your name.</p><form method="post"><button autofocus>Allow</button></form>`;
  sendPage(response, 'Allow access', question, status);
}

/** Grants the requested scopes and claims. @returns the grant's id */
async function grant(provider: Provider, interaction: Interaction): Promise<string> {
  const { grantId, session, params, prompt } = interaction;
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const accountId = session?.accountId;
  const granted =
    known ??
    new provider.Grant({
      clientId: String(params['client_id']),
      ...(accountId !== undefined && { accountId }),
    });
  const { missingOIDCScope: scopes } = prompt.details as { readonly missingOIDCScope?: string[] };
  if (scopes) granted.addOIDCScope(scopes);
  return granted.save();
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  request.setEncoding('utf8');
  for await (const piece of request as AsyncIterable<string>) {
    text += piece;
    if (text.length > MAX_FORM_BYTES) throw new RangeError('the form is too large');
  }
  return new URLSearchParams(text);
}
