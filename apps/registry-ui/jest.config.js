import preset, { sharedPostgres } from '../../jest.preset.js';

const [[pattern, [transformer, options]]] = Object.entries(preset.transform);

export default {
  ...preset,
  ...sharedPostgres,
  displayName: 'registry-ui',
  // Texts are imported as JSON, which Node allows only where the import says so.
  transform: {
    [pattern]: [
      transformer,
      { ...options, jsc: { ...options.jsc, experimental: { keepImportAttributes: true } } },
    ],
  },
};
