import preset from '../../jest.preset.js';

export default { ...preset, displayName: 'registry-e2e' };
