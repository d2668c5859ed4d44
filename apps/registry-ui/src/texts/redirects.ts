import en from './en/redirects.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { text } = withTexts(en);
