import {
  Checkbox,
  Combobox,
  ComboboxButton,
  ComboboxInput,
  ComboboxOption,
  ComboboxOptions,
  Description,
  Disclosure,
  DisclosureButton,
  DisclosurePanel,
  Field,
  Fieldset,
  Input,
  Label,
  Legend,
  Listbox,
  ListboxButton,
  ListboxOption,
  ListboxOptions,
  Menu,
  MenuButton,
  MenuItem,
  MenuItems,
  Radio,
  RadioGroup,
  Switch,
  Tab,
  TabGroup,
  TabList,
  TabPanel,
  TabPanels,
  Textarea,
} from "@headlessui/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const DISHES = [
  { name: "Lentil soup", minutes: 35, price: 2.4, tags: "vegan" },
  { name: "Potato gratin", minutes: 70, price: 3.1, tags: "vegetarian" },
  { name: "Trout with almonds", minutes: 40, price: 8.9, tags: "fish" },
  { name: "Risotto", minutes: 45, price: 3.8, tags: "vegetarian" },
];
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];
const DIETS = ["Everything", "Vegetarian", "Vegan"];

function Pick({ label, options, value, onChange }) {
  return (
    <Field className="field">
      <Label>{label}</Label>
      <Listbox value={value} onChange={onChange}>
        <ListboxButton className="select">{value} ▾</ListboxButton>
        <ListboxOptions anchor="bottom" className="pop">
          {options.map((option) => (
            <ListboxOption key={option} value={option}>
              {option}
            </ListboxOption>
          ))}
        </ListboxOptions>
      </Listbox>
    </Field>
  );
}

function Planner({ onPlan }) {
  const [dish, setDish] = useState(DISHES[0]);
  const [query, setQuery] = useState("");
  const [day, setDay] = useState("Wednesday");
  const [size, setSize] = useState("Small");
  const [leftovers, setLeftovers] = useState(false);
  const found = DISHES.filter((each) => each.name.toLowerCase().includes(query.toLowerCase()));
  return (
    <form
      className="planner"
      onSubmit={(event) => {
        event.preventDefault();
        onPlan(day, dish);
      }}
    >
      <Fieldset>
        <Legend className="legend">Plan a meal</Legend>
        <Field className="field">
          <Label>Dish</Label>
          <Combobox value={dish} onChange={setDish} onClose={() => setQuery("")}>
            <div className="combo">
              <ComboboxInput displayValue={(each) => each?.name ?? ""} onChange={(event) => setQuery(event.target.value)} />
              <ComboboxButton aria-label="Show dishes">▾</ComboboxButton>
            </div>
            <ComboboxOptions anchor="bottom" className="pop">
              {found.map((each) => (
                <ComboboxOption key={each.name} value={each}>
                  {each.name}
                </ComboboxOption>
              ))}
            </ComboboxOptions>
          </Combobox>
        </Field>
        <Pick label="Day" options={DAYS} value={day} onChange={setDay} />
        <Field className="field">
          <Label>Guests</Label>
          <Input type="number" defaultValue="2" min="1" max="12" />
        </Field>
        <RadioGroup value={size} onChange={setSize} aria-label="Portions" className="sizes">
          {["Small", "Medium", "Large"].map((name) => (
            <Radio key={name} value={name} className="size">
              {name}
            </Radio>
          ))}
        </RadioGroup>
        <Field className="field">
          <Label>Note for the cook</Label>
          <Description>Allergies, for example.</Description>
          <Textarea rows={2} />
        </Field>
        <Field className="inline">
          <Checkbox checked={leftovers} onChange={setLeftovers} className="check" />
          <Label>Cook for leftovers</Label>
        </Field>
        <button type="submit" className="main">
          Add to plan
        </button>
      </Fieldset>
    </form>
  );
}

function Page() {
  const [plan, setPlan] = useState([
    ["Monday", DISHES[0]],
    ["Tuesday", DISHES[3]],
  ]);
  const [diet, setDiet] = useState("Everything");
  const [metric, setMetric] = useState(true);
  const shown = DISHES.filter((dish) => diet === "Everything" || dish.tags === diet.toLowerCase());
  return (
    <>
      <header>
        <h1>Week's table</h1>
        <Menu>
          <MenuButton className="quiet">Account</MenuButton>
          <MenuItems anchor="bottom end" className="pop">
            <MenuItem>
              <a href="#profile">Profile</a>
            </MenuItem>
            <MenuItem>
              <a href="#out">Sign out</a>
            </MenuItem>
          </MenuItems>
        </Menu>
        <Field className="inline">
          <Label>Metric units</Label>
          <Switch checked={metric} onChange={setMetric} className="switch" />
        </Field>
      </header>
      <main>
        <section>
          <TabGroup>
            <TabList className="tabs">
              {["Dishes", "This week", "Shopping"].map((name) => (
                <Tab key={name} className="tab">
                  {name}
                </Tab>
              ))}
            </TabList>
            <TabPanels>
              <TabPanel>
                <Pick label="Diet" options={DIETS} value={diet} onChange={setDiet} />
                <div className="cards">
                  {shown.map((dish) => (
                    <article key={dish.name}>
                      <h3>{dish.name}</h3>
                      <p>
                        {dish.minutes} min · {dish.tags}
                      </p>
                      <button onClick={() => setPlan([...plan, ["Friday", dish]])}>Cook this</button>
                    </article>
                  ))}
                </div>
              </TabPanel>
              <TabPanel>
                <ul>
                  {plan.map(([day, dish]) => (
                    <li key={day}>
                      {day}: {dish.name}
                    </li>
                  ))}
                </ul>
              </TabPanel>
              <TabPanel>Nothing to buy.</TabPanel>
            </TabPanels>
          </TabGroup>
          <Disclosure>
            <DisclosureButton className="quiet">How are prices worked out?</DisclosureButton>
            <DisclosurePanel>From last month's receipts.</DisclosurePanel>
          </Disclosure>
        </section>
        <aside>
          <Planner onPlan={(day, dish) => setPlan([...plan, [day, dish]])} />
          <dl>
            <dt>Meals planned</dt>
            <dd>{plan.length}</dd>
            <dt>Cost per person</dt>
            <dd>€{plan.reduce((sum, [, dish]) => sum + dish.price, 0).toFixed(2)}</dd>
          </dl>
        </aside>
      </main>
    </>
  );
}

createRoot(document.getElementById("root")).render(<Page />);
