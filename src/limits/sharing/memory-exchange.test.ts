/** Goal: the model that tests of limits use keeps the promises of every exchange. Method: the contract. */
import { exchangeContract } from './exchange-contract.ts';
import { MemoryExchange } from './memory-exchange.ts';

exchangeContract(async () => {
  const exchange = new MemoryExchange(() => 0);
  return { exchanges: [exchange, exchange], flush: async () => exchange.flush(), close: async () => undefined };
});
