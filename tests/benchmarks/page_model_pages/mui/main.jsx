import {
  Alert,
  AppBar,
  Autocomplete,
  Box,
  Button,
  Chip,
  Container,
  FormControlLabel,
  IconButton,
  InputLabel,
  FormControl,
  MenuItem,
  Paper,
  Select,
  Slider,
  Stack,
  Switch,
  Tab,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TablePagination,
  TableRow,
  TableSortLabel,
  Tabs,
  TextField,
  Toolbar,
  Typography,
} from "@mui/material";
import { AdapterDayjs } from "@mui/x-date-pickers/AdapterDayjs";
import { DatePicker } from "@mui/x-date-pickers/DatePicker";
import { LocalizationProvider } from "@mui/x-date-pickers/LocalizationProvider";
import dayjs from "dayjs";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const SPENT = [
  ["2026-04-02", "Train to Bergen", "Travel", 184.0],
  ["2026-04-02", "Cabin, first night", "Lodging", 240.0],
  ["2026-04-03", "Ski hire", "Equipment", 96.5],
  ["2026-04-03", "Groceries", "Food", 71.25],
  ["2026-04-04", "Cabin, second night", "Lodging", 240.0],
  ["2026-04-04", "Cable car", "Travel", 58.0],
  ["2026-04-05", "Dinner", "Food", 132.75],
  ["2026-04-05", "Bus", "Travel", 24.0],
];
const money = (amount) => `$${amount.toFixed(2)}`;

function Page() {
  const [spent, setSpent] = useState(SPENT);
  const [tab, setTab] = useState(0);
  const [page, setPage] = useState(0);
  const [perPage, setPerPage] = useState(5);
  const [what, setWhat] = useState("");
  const [amount, setAmount] = useState("");
  const [kind, setKind] = useState("Food");
  const [payer, setPayer] = useState(null);
  const [day, setDay] = useState(dayjs("2026-04-05"));
  const [tip, setTip] = useState(10);
  const [shared, setShared] = useState(true);
  const shown = spent.filter((row) => tab === 0 || row[2] === ["Travel", "Lodging", "Food"][tab - 1]);
  const add = (event) => {
    event.preventDefault();
    setSpent([...spent, [day.format("YYYY-MM-DD"), what, kind, Number(amount) * (1 + tip / 100)]]);
  };
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs}>
      <AppBar position="static">
        <Toolbar>
          <Typography variant="h6" component="h1" sx={{ flexGrow: 1 }}>
            Ski week
          </Typography>
          <Chip color="secondary" label={`Total: ${money(spent.reduce((sum, row) => sum + row[3], 0))}`} />
          <Button color="inherit" sx={{ ml: 2 }}>
            Export
          </Button>
          <IconButton color="inherit" aria-label="Settings">
            ⚙
          </IconButton>
        </Toolbar>
      </AppBar>
      <Container maxWidth="lg" sx={{ display: "flex", gap: 4, mt: 3, alignItems: "flex-start" }}>
        <Paper component="form" onSubmit={add} sx={{ p: 2, width: 340 }}>
          <Typography variant="h6" component="h2">
            New expense
          </Typography>
          <Stack spacing={2} sx={{ mt: 2 }}>
            <TextField required label="What for" value={what} onChange={(event) => setWhat(event.target.value)} />
            <TextField type="number" label="Amount" value={amount} onChange={(event) => setAmount(event.target.value)} />
            <FormControl>
              <InputLabel id="kind">Category</InputLabel>
              <Select labelId="kind" label="Category" value={kind} onChange={(event) => setKind(event.target.value)}>
                {["Travel", "Lodging", "Food", "Equipment"].map((name) => (
                  <MenuItem key={name} value={name}>
                    {name}
                  </MenuItem>
                ))}
              </Select>
            </FormControl>
            <Autocomplete
              options={["Ada", "Ben", "Carol", "Dan"]}
              value={payer}
              onChange={(_, value) => setPayer(value)}
              renderInput={(given) => <TextField {...given} label="Paid by" />}
            />
            <DatePicker label="Day" value={day} onChange={setDay} />
            <Box>
              <Typography id="tip" gutterBottom>
                Tip (%)
              </Typography>
              <Slider aria-labelledby="tip" value={tip} onChange={(_, value) => setTip(value)} max={30} />
            </Box>
            <FormControlLabel
              control={<Switch checked={shared} onChange={(event) => setShared(event.target.checked)} />}
              label="Shared by all"
            />
            <Button type="submit" variant="contained">
              Add expense
            </Button>
          </Stack>
        </Paper>
        <Box sx={{ flexGrow: 1 }}>
          <Alert severity="info" sx={{ mb: 2 }}>
            Amounts are in US dollars.
          </Alert>
          <Tabs
            value={tab}
            onChange={(_, value) => {
              setTab(value);
              setPage(0);
            }}
            aria-label="Categories"
          >
            {["All", "Travel", "Lodging", "Food"].map((name) => (
              <Tab key={name} label={name} />
            ))}
          </Tabs>
          <TableContainer>
            <Table>
              <TableHead>
                <TableRow>
                  <TableCell sortDirection="asc">
                    <TableSortLabel active>Date</TableSortLabel>
                  </TableCell>
                  <TableCell>What for</TableCell>
                  <TableCell>Category</TableCell>
                  <TableCell align="right">Amount</TableCell>
                  <TableCell />
                </TableRow>
              </TableHead>
              <TableBody>
                {shown.slice(page * perPage, page * perPage + perPage).map((row) => (
                  <TableRow key={row[0] + row[1]}>
                    {row.slice(0, 3).map((cell) => (
                      <TableCell key={cell}>{cell}</TableCell>
                    ))}
                    <TableCell align="right">{money(row[3])}</TableCell>
                    <TableCell>
                      <Button size="small" onClick={() => setSpent(spent.filter((other) => other !== row))}>
                        Delete
                      </Button>
                    </TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </TableContainer>
          <TablePagination
            component="div"
            count={shown.length}
            page={page}
            rowsPerPage={perPage}
            rowsPerPageOptions={[5, 10]}
            onPageChange={(_, value) => setPage(value)}
            onRowsPerPageChange={(event) => setPerPage(Number(event.target.value))}
          />
        </Box>
      </Container>
    </LocalizationProvider>
  );
}

createRoot(document.getElementById("root")).render(<Page />);
