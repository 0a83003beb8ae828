import js from '@eslint/js';
import globals from 'globals';

const RULES = {
  ...js.configs.recommended.rules,
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'no-undef': 'error',
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  // A function may use what is defined later in its module, but nothing is used while the module is evaluated.
  'no-use-before-define': ['error', { classes: true, functions: true, variables: false }],
  'prefer-const': 'error',
};

export default [
  { ignores: ['.venv*/**', '**/*.bundle.js', '**/*.min.js', 'build/**', 'dist/**'] },
  {
    files: ['probe/**/*.js'],
    languageOptions: { ecmaVersion: 2024, globals: { ...globals.browser }, sourceType: 'module' },
    rules: RULES,
  },
  { // the number of parameters of a wrapper is that of the native function
    files: ['probe/main_world/**/*.js'],
    rules: { 'no-unused-vars': ['error', { args: 'none' }] },
  },
  { files: ['probe/isolated_world/index.js'], languageOptions: { globals: { publish: 'readonly' } } },
  { files: ['probe/isolated_world/installer.js'], languageOptions: { globals: { createProbe: 'readonly' } } },
  {
    files: ['probe/main_world/late_listeners.js'],
    languageOptions: { globals: { getEventListeners: 'readonly' } },
  },
  {
    files: ['probe/build.js', 'eslint.config.js'],
    languageOptions: { ecmaVersion: 2024, globals: globals.node, sourceType: 'module' },
    rules: RULES,
  },
  {
    files: ['charlotte/server/http/dashboard/**/*.js'],
    languageOptions: { ecmaVersion: 2024, globals: globals.browser, sourceType: 'module' },
    rules: { ...RULES, 'no-use-before-define': ['error', { functions: false, variables: false }] },
  },
];
