import en from './en/deleted.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { text } = withTexts(en);
