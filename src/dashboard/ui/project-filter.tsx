import { useProjects } from '../data/projects.ts';
import { Select } from './field.tsx';

/** Chooses one project, or all of them (an empty name). */
export function ProjectFilter({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { names, called } = useProjects();
  const known = value === '' || names.includes(value) ? names : [value, ...names];
  return (
    <Select
      label="Project"
      value={value}
      onChange={onChange}
      options={[['', 'All projects'], ...known.map((name) => [name, called(name)] as const)]}
    />
  );
}
