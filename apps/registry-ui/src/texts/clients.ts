import en from './en/clients.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { optionalText, text } = withTexts(en);
