import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  // web-types.d.ts is no module of its own: the build puts it at the top of every declaration file.
  { ignores: ['dist/', 'docs/reference/', 'test/templates/generated/', '**/.tmp/', '.ci/web-types.d.ts'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Records of interfaces document better than type aliases, and declaration merging is not a concern here.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A parameter that only an overriding method needs begins with an underscore.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // The compiler allows no enum here (`erasableSyntaxOnly`), and looking for them took a tenth of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      'no-console': 'error',
    },
  },
  {
    // The neutral core runs in browsers, workers and edge runtimes: Node is reached only where a folder says so.
    files: ['src/**/*.ts'],
    ignores: ['src/testing/http/**', 'src/cli/**', 'src/redis/**', 'src/templates/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['node:*'], message: 'This file must run in a browser.' }] },
      ],
      'no-restricted-globals': [
        'error',
        { name: 'process', message: 'Read the environment through environment.ts only.' },
        { name: 'Buffer', message: 'Use Uint8Array.' },
      ],
    },
  },
  {
    // Calls that are wrong on purpose, for the compiler alone to judge.
    files: ['test/types/**'],
    rules: {
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unused-vars': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/consistent-type-imports': 'off',
    },
  },
  {
    files: ['examples/**', 'test/bench/**', 'src/cli/**', '**/*.mjs', '**/*.cjs'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
    languageOptions: {
      globals: {
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        process: 'readonly',
        require: 'readonly',
        Request: 'readonly',
        Response: 'readonly',
        URL: 'readonly',
      },
    },
  },
);
