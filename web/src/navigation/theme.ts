/** The theme within React. */
import { useSyncExternalStore } from 'react';
import { chooseTheme, readTheme, subscribeTheme, type ThemeChoice } from './theme-choice.ts';

export interface ThemeState {
  /** The current theme. */
  readonly theme: 'light' | 'dark';
  readonly choice: ThemeChoice;
  readonly choose: (choice: ThemeChoice) => void;
}

export function useTheme(): ThemeState {
  const state = useSyncExternalStore(subscribeTheme, readTheme);
  const [theme, choice] = state.split(' ') as ['light' | 'dark', ThemeChoice];
  return { theme, choice, choose: chooseTheme };
}
