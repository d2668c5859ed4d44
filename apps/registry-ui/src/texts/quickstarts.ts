import en from './en/quickstarts.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { text } = withTexts(en);
