// The script time of scrolling through loaded rows: the console's list against a plain HTML table of the same rows, built
// by the DOM's own functions, which also draws only what is in sight.

const STEPS = 200;
const STEP_PX = 400;

/** Milliseconds of script for the same way down and back up, by the console and by a plain table. */
export async function measureScroll(browser, { url, token }, clients) {
  const page = await browser.newPage();
  await page.addInitScript(`sessionStorage.setItem('registry-token', ${JSON.stringify(token)})`);
  await page.goto(`${url}/ui/clients`);
  await page.locator('tbody tr[data-index] a').first().waitFor();
  await page.evaluate(`(${LOAD_ALL})(${clients})`);
  const console = await scriptTime(browser, page, SCROLL('[role=grid]'));
  const content = await page.evaluate(`(${CONTENT})(${JSON.stringify(token)}, ${clients})`);
  // No page of the registry: its policy would refuse the table's style attributes, and the table would never scroll.
  await page.goto('about:blank');
  await page.evaluate(`(${BUILD_PLAIN})(${JSON.stringify(content)})`);
  const plain = await scriptTime(browser, page, SCROLL('table'));
  await page.close();
  return { console, plain };
}

async function scriptTime(browser, page, scroll) {
  const session = await browser.newCDPSession(page);
  // The processor time of the page's thread: other programs on the machine would lengthen the time on the clock.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const script = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'ScriptDuration').value;
  };
  const before = await script();
  const bottom = await page.evaluate(scroll);
  if (bottom < (STEPS * STEP_PX) / 4) throw new Error(`the table scrolled ${bottom} pixels down only`);
  return (await script()) - before;
}

/** Scrolls to the end of what is loaded until there are as many rows. */
const LOAD_ALL = `async (count) => {
  const scroller = document.querySelector('[role=grid]').parentElement;
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  while (scroller.scrollHeight < count * 44) {
    scroller.scrollTop = scroller.scrollHeight;
    await frame();
  }
  scroller.scrollTop = 0;
  for (let frames = 0; frames < 30; frames += 1) await frame();
}`;

const SCROLL = (table) => `(async () => {
  const scroller = document.querySelector('${table}').parentElement;
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  let bottom = 0;
  for (let step = 0; step < ${STEPS}; step += 1) {
    scroller.scrollTop += step < ${STEPS / 2} ? ${STEP_PX} : ${-STEP_PX};
    bottom = Math.max(bottom, scroller.scrollTop);
    await frame();
  }
  return bottom;
})()`;

/** What the rows on the way show. */
const CONTENT = `async (token, count) => {
  const rows = [];
  for (let cursor = ''; rows.length < ${(STEPS * STEP_PX) / 2 / 44} + 100 && rows.length < count; ) {
    const path = '/client?sort=-updated_at&limit=500' + cursor;
    const answer = await fetch(path, { headers: { authorization: 'Bearer ' + token } });
    const { clients, next } = await answer.json();
    for (const { client_id, client_name, redirect_uris, warnings, enabled, updated_at } of clients)
      rows.push([client_id, client_name, redirect_uris, warnings.length, enabled, updated_at]);
    if (next === undefined) break;
    cursor = '&cursor=' + next;
  }
  return rows;
}`;

const BUILD_PLAIN = `(rows) => {
  const HEIGHT = 44;
  const element = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const rowOf = ([id, name, [uri = '', ...more], warnings, enabled, updated], index) =>
    element('tr', { 'data-index': index, style: 'height: 44px' },
      element('td', {}, element('input', { type: 'checkbox', 'aria-label': 'Select ' + name })),
      element('td', {}, element('a', { href: '/ui/clients/' + id, title: name }, name), enabled ? '' : element('span', {}, 'Disabled')),
      element('td', {}, element('span', { title: id }, id), element('button', { type: 'button', 'aria-label': 'Copy' })),
      element('td', {}, element('span', { title: uri }, uri), more.length > 0 ? element('span', {}, '+' + more.length) : ''),
      element('td', {}, 'Public'),
      element('td', {}, warnings > 0 ? element('span', { title: warnings + ' warnings' }, String(warnings)) : ''),
      element('td', {}, element('time', { datetime: updated, title: new Date(updated).toLocaleString() }, new Date(updated).toLocaleDateString())));
  const body = element('tbody', {});
  const top = element('tr', {});
  const bottom = element('tr', {});
  const scroller = element('div', { style: 'height: 600px; overflow: auto' }, element('table', { style: 'width: 100%; table-layout: fixed' }, top, body, bottom));
  document.body.replaceChildren(scroller);
  const drawn = new Map();
  const draw = () => {
    const first = Math.max(0, Math.floor(scroller.scrollTop / HEIGHT) - 10);
    const last = Math.min(rows.length, first + 20 + Math.ceil(600 / HEIGHT));
    for (const [index, row] of drawn) if (index < first || index >= last) (row.remove(), drawn.delete(index));
    for (let index = first; index < last; index += 1) {
      if (drawn.has(index)) continue;
      const row = rowOf(rows[index], index);
      drawn.set(index, row);
      body.insertBefore(row, drawn.get(index + 1) ?? null);
    }
    top.style.height = first * HEIGHT + 'px';
    bottom.style.height = (rows.length - last) * HEIGHT + 'px';
  };
  scroller.addEventListener('scroll', draw);
  draw();
}`;
