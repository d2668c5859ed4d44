/** Far more than a sign-in needs. */
const MAX_STEPS = 20;

/**
 * Signs in at the example's authorization server without a browser: follows its redirects with its cookies, and sends
 * the form of each page on the way.
 *
 * @param address of the authorization endpoint, with the request's parameters
 * @param callback the redirect URI at which to stop
 * @returns where the authorization server sends the browser back to
 */
export async function signInByForm(address: URL, callback: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let [next, form]: [URL, URLSearchParams | undefined] = [address, undefined];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const answer: Response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    const page = await answer.text();
    if (location === null && answer.status !== 200) throw new Error(`${answer.status}: ${page}`);
    // A page without a redirect is a form with at most one field, submitted to its own URL.
    form = location === null ? new URLSearchParams({ name: 'Ada Lovelace' }) : undefined;
    next = new URL(location ?? '', next);
    if (next.href.startsWith(`${callback}?`)) return next;
  }
  throw new Error(`no way back after ${MAX_STEPS} steps`);
}
