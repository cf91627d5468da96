/** By which units a model can be charged. */
import { isFor, type Purposeful } from '../../../catalog/model-purpose.ts';
import { operations } from '../../../operations/index.ts';

/** Whether some operation that the model is for is charged by the unit of this name: `image`, or a class of it. */
export function isChargedBy(model: Purposeful, unit: string): boolean {
  const [kind] = unit.split('/', 1);
  return Object.values(operations).some(
    (operation) =>
      operation.isPaid && operation.unitKinds.some((each) => each === kind) && isFor(model, operation.name),
  );
}
