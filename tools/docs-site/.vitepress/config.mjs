import { readFileSync } from 'node:fs';
import { REPOSITORY } from '../../packages/published.mjs';
import { anchorOf } from '../anchors.mjs';

/** Written with the pages. */
const sidebar = JSON.parse(readFileSync(new URL('../pages/sidebar.json', import.meta.url), 'utf8'));

export default {
  title: 'svc',
  description: 'An OAuth client registry and a toolkit for log platforms',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: true,
  // Anchors as in the repository, where the pages are read, too.
  // No page contains HTML: what looks like a tag is a placeholder.
  markdown: {
    html: false,
    anchor: { slugify: anchorOf },
    toc: { slugify: anchorOf },
    headers: { slugify: anchorOf },
  },
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Administrators', link: '/for-administrators' },
      { text: 'Operators', link: '/for-operators' },
      { text: 'Authorization servers', link: '/for-builders' },
      { text: 'Changes', link: '/changelog' },
    ],
    sidebar,
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
  },
};
